import { plainLine } from './plain-line';

it.each([
  ['\u001b[31mred\u001b[0m plain', 'red plain'],
  ['\u001b]8;;https://example.com\u0007link\u001b]8;;\u001b\\', 'link'],
  ['\t[info] kept\r', '[info] kept'],
  ['\u001b[2J\u001b[1;1Hover\u0000\u0008\u009b', 'over'],
  ['\u001b]0;never ends', ''],
])('plainLine removes the escape codes from %j', (line, plain) => {
  expect(plainLine(line)).toBe(plain);
});
