import { RefusedError } from '@switchyard/client';
import { useSyncExternalStore } from 'react';

interface Question {
  confirmed(): void;
  cancelled(): void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function ask(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

export const useQuestion = (): Question | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => question,
  );

export async function withRecentSignIn<Output>(write: () => Promise<Output>): Promise<Output> {
  try {
    return await write();
  } catch (error) {
    const isAsked = error instanceof RefusedError && error.code === 'recent_sign_in_required';
    if (!isAsked || question) throw error;
    try {
      await new Promise<void>((confirmed, cancelled) =>
        ask({ confirmed, cancelled: () => cancelled(error) }),
      );
    } finally {
      ask(null);
    }
    return write();
  }
}
