import { NotReached, openServer } from './request';

const { HTTPS_PROXY } = process.env;
afterEach(() => {
  if (HTTPS_PROXY === undefined) delete process.env.HTTPS_PROXY;
  else process.env.HTTPS_PROXY = HTTPS_PROXY;
});

it('openServer() rejects every exchange with NotReached if HTTPS_PROXY is invalid', async () => {
  process.env.HTTPS_PROXY = 'http://[nowhere';
  const server = openServer('https://switchyard.example.com', 'a-token');
  const hello = () =>
    server.exchange({ method: 'POST', path: '/hello', body: {}, timeoutMs: 10_000 });
  await expect(hello()).rejects.toThrow(NotReached);
  await expect(hello()).rejects.toThrow(NotReached);
  server.close();
});
