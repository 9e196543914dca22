import { describeFailure } from './failure.js';
import { note } from './output.js';
import { createProgram } from './program.js';

export async function main(version: string, help = ''): Promise<void> {
  // A reader such as `head` may close the pipe early. The command then performs its cleanup and
  // ends without an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!process.emit('SIGTERM')) process.exit(0);
  });
  try {
    await createProgram(version, help).parseAsync();
  } catch (error) {
    const { text, exitCode } = describeFailure(error);
    if (text !== '') note(text);
    process.exitCode = exitCode;
  }
}
