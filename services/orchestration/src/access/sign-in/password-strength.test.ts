import { assertStrongPassword } from './password-strength';

const EVE = { email: 'eve.miller@example.com', name: 'Eve Miller' };
const choose = (password: string) => assertStrongPassword('newPassword', password, EVE);

describe('assertStrongPassword', () => {
  it.each([
    ['password1234', 'a common password'],
    ['123456789012', 'a common password'],
    ['Password2026!', 'a common password'],
    ['iloveyou1234', 'a common password'],
    ['eve.miller@example.com', 'your name or e-mail address'],
    ['Eve.Miller@Example.com', 'your name or e-mail address'],
    ['aaaaaaaaaaaa', 'repeats the same characters'],
    ['letmeinletmein', 'repeats the same characters'],
    ['x'.repeat(128), 'repeats the same characters'],
    ['abcdefghijkl', 'a sequence'],
  ])('rejects %s with a reason', async (password, reason) => {
    await expect(choose(password)).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(reason),
      details: [{ path: ['newPassword'] }],
    });
  });

  it.each([
    'correct horse battery staple',
    'kdjf93kdlsowp',
    'a1b2c3-d4e5f6-a7b8c9-d0e1f2',
    `${'long and of no sense: 7#kQz'.repeat(4)}!`,
  ])('accepts %s', async (password) => {
    await expect(choose(password)).resolves.toBeUndefined();
  });
});
