import { uniqueViolation } from '@switchyard/db';
import { conflict } from '@switchyard/server';

/** Names are unique in a company, whatever their case; a terminated agent gives its name back. */
export async function withUniqueName<T>(name: string | undefined, write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    if (uniqueViolation(error) === null) throw error;
    throw conflict('name_taken', `an agent called ${name} exists already; choose another name`, {
      field: 'name',
    });
  });
}
