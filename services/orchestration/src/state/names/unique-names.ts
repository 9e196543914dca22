import { uniqueViolation } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { foldText } from '../../state/names/fold-text';

/**
 * Returns the form in which names are compared: NFKC, without case or invisible characters, with
 * white space as single blanks. The key is unique, so that no two names look the same.
 */
export const nameKey = (name: string) =>
  foldText(name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')).trim();

/**
 * Writes a row whose `name_key` is unique.
 * @param what the noun with its article, as in "an agent"
 * @param instead what the caller can do instead
 * @throws ApiError 409 `name_taken`
 */
export async function withUniqueName<T>(
  what: string,
  name: string | undefined,
  write: Promise<T>,
  instead = 'choose another name',
): Promise<T> {
  return write.catch((error: unknown) => {
    if (uniqueViolation(error) === null) throw error;
    throw conflict('name_taken', `${what} with the name ${name} already exists: ${instead}`, {
      field: 'name',
    });
  });
}

export const nameColumns = (name: string | undefined) =>
  name === undefined ? {} : { name, nameKey: nameKey(name) };
