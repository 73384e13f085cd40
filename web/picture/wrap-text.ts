// Breaks a text into lines of equally wide characters.

/** Characters that end a line, change the direction of text, or are invisible. */
const notText = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Returns at most `linesMax` lines of at most `room` characters; none for an empty text. Words are
 * kept whole if they fit into a line; the last line ends in "…" if there is more.
 */
export function wrapText(text: string, room: number, linesMax: number): string[] {
  const lines: string[] = [];
  let rest = Array.from(text.toWellFormed().replaceAll(notText, ' ').trim());
  while (rest.length > 0) {
    if (rest.length > room && lines.length === linesMax - 1) {
      return [
        ...lines,
        `${rest
          .slice(0, room - 1)
          .join('')
          .trimEnd()}…`,
      ];
    }
    const space = rest.length <= room ? rest.length : rest.lastIndexOf(' ', room);
    const end = space > 0 ? space : room;
    lines.push(rest.slice(0, end).join('').trimEnd());
    rest = Array.from(rest.slice(end).join('').trimStart());
  }
  return lines;
}
