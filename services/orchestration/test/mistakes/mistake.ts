import type { ErrorCode } from '@switchyard/types';
import type { Question } from '../ask';
import type { MistakesScene } from './scene';

export interface Mistake<Scene = MistakesScene> {
  name: string;
  ask: (scene: Scene) => Question;
  status: number;
  code: ErrorCode;
  says: RegExp;
}

export const get = (path: string, headers?: Question['headers']): Question => ({
  method: 'GET',
  path,
  headers,
});
export const send = (
  method: string,
  path: string,
  body: unknown,
  authorization?: string,
  headers: Question['headers'] = {},
): Question => ({ method, path, body, headers: { ...headers, authorization } });
export const post = (path: string, body: unknown, authorization?: string, headers = {}) =>
  send('POST', path, body, authorization, headers);
export const patch = (path: string, body: unknown, authorization?: string) =>
  send('PATCH', path, body, authorization);
