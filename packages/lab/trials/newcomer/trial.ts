import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedProvider } from '@switchyard/orchestration/test/providers/serve-provider';
import { type Caller, callerOf } from './caller';
import type { Clone, Started } from './clone';
import { fillIn, type Page, requestIn } from './page';

export interface Trial {
  provider: ScriptedProvider;
  clone: Clone;
  started: Started;
  board: Caller;
  programs: string;
}

export async function begin(trial: Trial): Promise<void> {
  trial.started = await trial.clone.start();
  if (!trial.started.isRunning) throw new Error(trial.started.printed());
  trial.board = callerOf(trial.started.address('API'));
}

export interface Step {
  method: string;
  path: string;
  body: string;
}

export function follow(page: Page, sentence: string, act: (step: Step) => Promise<void>): void {
  it(`${page.name}: ${sentence}`, async () => {
    expect(page.text).toContain(sentence);
    await act(/`(?:GET|POST|PUT|PATCH|DELETE) \/api\//.test(sentence) ? requestIn(sentence) : NONE);
  }, 300_000);
}

const NONE: Step = { method: '', path: '', body: '' };

export async function place(trial: Trial, page: Page, file: string): Promise<string> {
  await mkdir(trial.programs, { recursive: true });
  const path = join(trial.programs, file);
  await writeFile(path, page.block(` ${file}\n`));
  return path;
}

export const send = <T = Record<string, string>>(
  caller: Caller,
  { method, path, body }: Step,
  values: { path?: Record<string, string>; body?: Record<string, string> } = {},
) =>
  caller.ask<T>(
    method,
    fillIn(path, values.path ?? {}),
    fillIn(body, values.body ?? {}) || undefined,
  );

export const newCompany = async ({ board }: Trial, name: string) =>
  (await board.ask('POST', '/api/companies', { name })).id as string;

export const newIssue = async (trial: Trial, companyId: string, more: object = {}) =>
  (
    await trial.board.ask('POST', `/api/companies/${companyId}/issues`, {
      title: 'Say hello',
      status: 'todo',
      ...more,
    })
  ).id as string;
