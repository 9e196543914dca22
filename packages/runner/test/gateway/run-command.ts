import { spawn } from 'node:child_process';

export interface CommandAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function runCommand(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; input?: string },
): Promise<CommandAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env: options.env });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}
