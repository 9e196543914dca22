import { inNode } from './in-node';

test('showOutput splits output into lines, even if a chunk ends inside a character', () => {
  const [lines, last] = inNode(
    { 'launcher/dist/services/service.js': 'showOutput' },
    `const { PassThrough } = await import('node:stream');
     const { once } = await import('node:events');
     const { log } = console;
     const lines = [];
     console.log = (line) => lines.push(line);
     const stream = new PassThrough();
     const last = showOutput([stream], { name: 'api', colour: 'cyan' });
     const bytes = Buffer.from('one\\r\\nzwölf\\nrest');
     for (let i = 0; i < bytes.length; i += 1) {
       stream.write(bytes.subarray(i, i + 1));
       await new Promise(setImmediate);
     }
     stream.end();
     await once(stream, 'close');
     console.log = log;
     return [lines, last];`,
  ) as [string[], string[]];
  expect(lines).toEqual(['api    | one', 'api    | zwölf', 'api    | rest']);
  expect(last).toEqual(['one', 'zwölf', 'rest']);
});

test('explain turns the output of a failed tool into a cause and a next step', () => {
  const causes = inNode(
    { 'bootstrap/lib/user-error.mjs': 'explain' },
    `return ['getaddrinfo EAI_AGAIN', 'No space left on device', 'ERR_PNPM_OUTDATED_LOCKFILE', 'odd']
       .map((text) => explain('It', text, 'look there')).map(({ message, next }) => [message, next]);`,
  );
  expect(causes).toEqual([
    [expect.stringMatching(/cannot be reached/), expect.stringMatching(/HTTPS_PROXY/)],
    [expect.stringMatching(/disk is full/), expect.any(String)],
    [expect.stringMatching(/pnpm-lock/), expect.any(String)],
    ['It failed.', 'look there'],
  ]);
});

test('hasColour returns true for a terminal, but false if NO_COLOR is set or TERM is dumb', () => {
  const answers = inNode(
    { 'bootstrap/lib/terminal.mjs': 'hasColour' },
    `const tty = { isTTY: true };
     return [hasColour({}, tty), hasColour({ NO_COLOR: '1' }, tty), hasColour({ TERM: 'dumb' }, tty),
       hasColour({}, { isTTY: false })];`,
  );
  expect(answers).toEqual([true, false, false, false]);
});
