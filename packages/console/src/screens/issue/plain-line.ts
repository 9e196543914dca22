export const plainLine = (line: string): string =>
  line
    .replace(ESCAPE_CODES, '')
    .replace(/\p{Cc}/gu, '')
    .trim();

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
const ESCAPE_CODES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-Z\\\\-_])`,
  'g',
);
