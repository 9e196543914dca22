import { isWriteConflict } from './database-errors';

const MAX_ATTEMPTS = 4;

export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts >= MAX_ATTEMPTS || !isWriteConflict(error)) throw error;
    }
  }
}
