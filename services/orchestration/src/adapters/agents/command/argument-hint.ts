/** What to do about a command that holds its own arguments; nothing about any other. */
export const argumentHint = (command: string) =>
  /\s/.test(command) ? ': a command has no arguments in it, they belong in args' : '';
