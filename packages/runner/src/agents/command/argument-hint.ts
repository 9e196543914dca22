export const argumentHint = (command: string) =>
  /\s/.test(command) ? ': `command` must be only the program; put its arguments into `args`' : '';
