const CODES = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, dim: 2, bold: 1 };

export function hasColour(env = process.env, stream = process.stdout) {
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return Boolean(stream.isTTY);
}

export function paint(colour, text) {
  return hasColour() ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}
