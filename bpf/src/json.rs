//! Writes JSON: the part of a batch that is not columns.

pub struct Json {
    text: String,
    needs_comma: bool,
}

impl Json {
    pub fn new() -> Json {
        Json { text: String::new(), needs_comma: false }
    }

    pub fn finish(self) -> String {
        self.text
    }

    pub fn object(&mut self, write: impl FnOnce(&mut Json)) {
        self.enclose('{', '}', write);
    }

    pub fn raw_array(&mut self, write: impl FnOnce(&mut Json)) {
        self.enclose('[', ']', write);
    }

    fn enclose(&mut self, start: char, end: char, write: impl FnOnce(&mut Json)) {
        self.text.push(start);
        self.needs_comma = false;
        write(self);
        self.text.push(end);
        self.needs_comma = true;
    }

    pub fn array<T>(&mut self, key: &str, items: &[T], write: impl Fn(&mut Json, &T)) {
        self.key(key);
        self.raw_array(|json| {
            for item in items {
                json.item(|json| write(json, item));
            }
        });
    }

    /// One element of an array.
    pub fn item(&mut self, write: impl FnOnce(&mut Json)) {
        if self.needs_comma {
            self.text.push(',');
        }
        self.needs_comma = false;
        write(self);
        self.needs_comma = true;
    }

    pub fn key(&mut self, key: &str) {
        if self.needs_comma {
            self.text.push(',');
        }
        self.value_text(key);
        self.text.push(':');
        self.needs_comma = false;
    }

    pub fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.value_text(value);
    }

    pub fn flag(&mut self, key: &str, value: bool) {
        self.key(key);
        self.value(if value { "true" } else { "false" });
    }

    pub fn number(&mut self, key: &str, value: u64) {
        self.key(key);
        self.value_number(value);
    }

    pub fn signed(&mut self, key: &str, value: i64) {
        self.key(key);
        self.value(&value.to_string());
    }

    pub fn value_number(&mut self, value: u64) {
        self.value(&value.to_string());
    }

    pub fn value_text(&mut self, value: &str) {
        self.text.push('"');
        for character in value.chars() {
            match character {
                '"' | '\\' => self.text.extend(['\\', character]),
                '\0'..'\x20' => self.text.push_str(&format!("\\u{:04x}", character as u32)),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
        self.needs_comma = true;
    }

    fn value(&mut self, text: &str) {
        self.text.push_str(text);
        self.needs_comma = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_values() {
        let mut json = Json::new();
        json.object(|json| {
            json.text("a\"\\\n", "b");
            json.array("c", &[1, 2], |json, value| json.value_number(*value));
            json.array("d", &[0; 0], |json, value| json.value_number(*value));
            json.array("o", &["x", "y"], |json, value| json.object(|json| json.text(value, "")));
            json.signed("e", -1);
            json.flag("f", true);
        });
        let want =
            r#"{"a\"\\\u000a":"b","c":[1,2],"d":[],"o":[{"x":""},{"y":""}],"e":-1,"f":true}"#;
        assert_eq!(json.finish(), want);
    }
}
