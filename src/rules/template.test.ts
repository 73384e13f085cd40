// Tests of templates; expected results are from Prometheus.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { createLabelSet } from '../model/labels.ts';
import { parseTemplate, type TemplateData } from './template.ts';

const data: TemplateData = {
  labels: createLabelSet([
    { name: 'job', value: 'api' },
    { name: 'function', value: 'main.<serve>' },
  ]),
  externalLabels: createLabelSet([{ name: 'cluster', value: 'eu' }]),
  value: 0.123456,
  link: 'http://localhost/?x=1',
};

function check(text: string, want: string, value = data.value): void {
  let found: string;
  try {
    found = parseTemplate(text).expand({ ...data, value });
  } catch (error) {
    found = errorMessage(error);
  }
  assert.equal(found, want, text);
}

test('values and labels', () => {
  check('plain } text', 'plain } text');
  check('{{ $labels.job }} uses {{ $value }}', 'api uses 0.123456');
  check('{{$labels.job}}{{.Labels.function}}', 'apimain.<serve>');
  check('{{ $labels.none }}|', '|');
  check('{{ $externalLabels.cluster }}: {{ .Value }}', 'eu: 0.123456');
  check('see {{ $link }}', 'see http://localhost/?x=1');
  check('a {{- " b " -}} c', 'a b c');
  check('a{{/* a note */}}b', 'ab');
  check('{{ "}}" }}', '}}');
});

test('numbers are printed as by Go', () => {
  check('{{ $value }}', '0', 0);
  check('{{ $value }}', '1e-05', 0.00001);
  check('{{ $value }}', '+Inf', Infinity);
  check('{{ printf "%.2f cores" $value }}', '0.12 cores');
  check('{{ $value | printf "%5.1f|%%" }}', '  0.1|%');
  check('{{ printf "%d%s %q" $value $labels.job $labels.job }}', '0api "api"');
  check('{{ printf "%s %s" $labels.job }}', 'api %!s(MISSING)');
  check('{{ printf "%.3g" $value }}', '0.123');
});

test('humanized numbers', () => {
  check('{{ $value | humanize }}', '123.5m');
  check('{{ $value | humanize }}', '1.235M', 1_234_567);
  check('{{ $value | humanize }}', '-20', -20);
  check('{{ humanize1024 $value }}', '1.5Gi', 1.5 * 2 ** 30);
  check('{{ $value | humanizePercentage }}', '12.35%');
  check('{{ $value | humanizeDuration }}', '123.5ms');
  check('{{ $value | humanizeDuration }}', '1d 2h 3m 4s', 93_784);
  check('{{ $value | humanizeDuration }}', '59.5s', 59.5);
  check('{{ $labels.job | toUpper }}', 'API');
});

test('mistakes name the action', () => {
  check('{{ $value', 'cannot use template "{{ $value": expected }} at its end');
  check('{{ }}', 'cannot use template "": a command is empty');
  check(
    '{{ $labels }}',
    'cannot use template "$labels": unexpected $labels, expected $value, $labels.NAME, ' +
      '$externalLabels.NAME, $link, a string or a number',
  );
  check(
    '{{ $value | humanise }}',
    'cannot use template "$value | humanise": humanise is no function, expected one of humanize, ' +
      'humanize1024, humanizeDuration, humanizePercentage, toUpper, toLower, title, printf',
  );
  check(
    '{{ $labels.job | humanize }}',
    'cannot expand template: humanize needs a number, got "api"',
  );
});
