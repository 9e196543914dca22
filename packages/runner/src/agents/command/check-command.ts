import type { Finding } from '@switchyard/types';
import type { ChildEnvironment } from '../environment/child-environment';
import { argumentHint } from './argument-hint';
import { findExecutable } from './find-executable';

/** Does not start the command, because a check must have no side effects. */
export async function checkCommand(
  command: string,
  { PATH }: ChildEnvironment,
  workingDirectory: string,
): Promise<Finding> {
  const path = findExecutable(command, PATH, workingDirectory);
  if (path === null) {
    const message = `${command} was not found as an executable here${argumentHint(command)}`;
    return { level: 'error', code: 'command_not_found', message, details: { command } };
  }
  const message = `${command} is ${path}; it was not started, so its version is not known`;
  return { level: 'ok', code: 'executable_found', message, details: { path } };
}
