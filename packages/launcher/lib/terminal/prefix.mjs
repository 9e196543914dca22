import { StringDecoder } from 'node:string_decoder';

const WIDTH = 7;

/** Cuts a stream into whole lines: two services that write at once must never mix inside a line. */
export function lineCutter(onLine) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    write(chunk) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop();
      for (const line of lines) onLine(line.replace(/\r$/, ''));
    },
    end() {
      if (rest) onLine(rest);
      rest = '';
    },
  };
}

export const prefixed = (name, line) => `${name.padEnd(WIDTH)}| ${line}`;
