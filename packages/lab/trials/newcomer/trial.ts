import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedProvider } from '@switchyard/orchestration/test/providers/serve-provider';
import { type Caller, callerOf } from './caller';
import type { Clone, Started } from './clone';
import { fillIn, type Page, requestIn } from './page';

/** Shared by the trials: one clone, its processes, and a folder for programs. */
export interface Trial {
  /** A simulated model provider that the operator has opened to agents. */
  provider: ScriptedProvider;
  clone: Clone;
  started: Started;
  /** Sends without a credential: in local mode as the board. */
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

/** Runs one step of a page: its sentence must exist, and its request is sent. */
export function follow(page: Page, sentence: string, act: (step: Step) => Promise<void>): void {
  it(`${page.name}: ${sentence}`, async () => {
    expect(page.text).toContain(sentence);
    await act(/`(?:GET|POST|PUT|PATCH|DELETE) \/api\//.test(sentence) ? requestIn(sentence) : NONE);
  }, 300_000);
}

const NONE: Step = { method: '', path: '', body: '' };

/** Writes a program of a page to a file, unchanged. */
export async function place(trial: Trial, page: Page, file: string): Promise<string> {
  await mkdir(trial.programs, { recursive: true });
  const path = join(trial.programs, file);
  await writeFile(path, page.block(` ${file}\n`));
  return path;
}

/** Sends a step's request with its placeholders and examples filled in. */
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
