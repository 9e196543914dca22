/** What a transaction that is late fails of; the code is what PostgreSQL says of a statement. */
export const tookTooLong = (timeoutMs: number) =>
  Object.assign(new Error(`a transaction took longer than ${timeoutMs / 1000} s`), {
    code: '57014',
  });
