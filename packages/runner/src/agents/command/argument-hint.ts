export const argumentHint = (command: string) =>
  /\s/.test(command) ? ': a command contains no arguments; put them into args' : '';
