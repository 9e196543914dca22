import type { Schemas } from '@switchyard/client';

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field: { name: string; message: string } | null,
  ) {
    super(message);
  }
}

export async function ask<Answer = unknown>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.ok) return (response.status === 204 ? null : await response.json()) as Answer;
  const { error, code, details } = (await response.json()) as {
    error: string;
    code: string;
    details?: unknown;
  };
  throw new Refused(response.status, code, error, fieldOf(details));
}

function fieldOf(details: unknown): Refused['field'] {
  const [problem] = Array.isArray(details)
    ? (details as { path: string[]; message: string }[])
    : [];
  const name = problem?.path[0];
  return problem && name ? { name, message: problem.message } : null;
}

export interface SignedIn {
  session: Schemas['Session'];
  browsers: Schemas['BrowserSession'][];
}

export async function readSignedIn(): Promise<SignedIn | null> {
  try {
    const session = await ask<SignedIn['session']>('GET', '/api/auth/session');
    return { session, browsers: await ask('GET', '/api/auth/sessions') };
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  }
}
