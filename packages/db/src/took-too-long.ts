export const tookTooLong = (timeoutMs: number) =>
  Object.assign(new Error(`a transaction took longer than ${timeoutMs / 1000} s`), {
    code: '57014',
  });
