import { inNode } from './in-node';

test('lines are cut whole, also inside a character of several bytes', () => {
  const lines = inNode(
    { 'terminal/prefix.mjs': 'lineCutter, prefixed' },
    `const lines = [];
     const cutter = lineCutter((line) => lines.push(prefixed('api', line)));
     const bytes = Buffer.from('one\\r\\nzwölf\\nrest');
     for (let i = 0; i < bytes.length; i += 1) cutter.write(bytes.subarray(i, i + 1));
     cutter.end();
     return lines;`,
  );
  expect(lines).toEqual(['api    | one', 'api    | zwölf', 'api    | rest']);
});

test('the output of a failed tool becomes a cause and a next step', () => {
  const causes = inNode(
    { 'problem.mjs': 'explain' },
    `return ['getaddrinfo EAI_AGAIN', 'No space left on device', 'ERR_PNPM_OUTDATED_LOCKFILE', 'odd']
       .map((text) => explain('It', text, 'look there')).map(({ message, next }) => [message, next]);`,
  );
  expect(causes).toEqual([
    [expect.stringMatching(/no connection/), expect.stringMatching(/HTTPS_PROXY/)],
    [expect.stringMatching(/disk is full/), expect.any(String)],
    [expect.stringMatching(/pnpm-lock/), expect.any(String)],
    ['It failed.', 'look there'],
  ]);
});

test('colour only on a terminal that wants it', () => {
  const answers = inNode(
    { 'terminal/colour.mjs': 'hasColour' },
    `const tty = { isTTY: true };
     return [hasColour({}, tty), hasColour({ NO_COLOR: '1' }, tty), hasColour({ TERM: 'dumb' }, tty),
       hasColour({}, { isTTY: false })];`,
  );
  expect(answers).toEqual([true, false, false, false]);
});
