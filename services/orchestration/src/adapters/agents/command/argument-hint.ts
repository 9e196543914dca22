export const argumentHint = (command: string) =>
  /\s/.test(command) ? ': a command has no arguments in it, they belong in args' : '';
