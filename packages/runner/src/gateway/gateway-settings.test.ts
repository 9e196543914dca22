import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { gatewayEnvironment, gatewaySettings } from './gateway-settings';

const read = (variables: Record<string, string>) =>
  z.object(gatewayEnvironment).transform(gatewaySettings).safeParse(variables);

const anthropic = {
  baseUrl: 'https://api.anthropic.com',
  header: 'x-api-key',
  value: 'sk-ant-the-key',
};

test('gatewaySettings() opens no hosts and has no providers by default', () => {
  expect(read({}).data).toEqual({ allowedHosts: [], providers: {} });
});

test('gatewaySettings() reads providers as JSON or from a JSON file', () => {
  const json = JSON.stringify({ anthropic });
  const folder = mkdtempSync(join(tmpdir(), 'providers-'));
  const file = join(folder, 'providers.json');
  writeFileSync(file, json);
  for (const text of [json, file]) {
    expect(read({ GATEWAY_PROVIDERS: text }).data?.providers).toEqual({ anthropic });
  }
  rmSync(folder, { recursive: true });
  expect(read({ GATEWAY_PROVIDERS: file }).error?.issues[0]?.message).toBe(
    'must name a readable file (ENOENT)',
  );
});

test.each<[string, unknown, string]>([
  ['invalid JSON', '{sk-ant-the-key', 'must be JSON'],
  ['a relative path', 'providers.json', 'must be JSON'],
  ['a list', [anthropic], 'the whole'],
  ['a name with an underscore', { my_provider: anthropic }, 'my_provider'],
  ['the reserved name', { service: anthropic }, 'service'],
  ['another scheme', { a: { ...anthropic, baseUrl: 'ftp://x' } }, 'a.baseUrl'],
  ['a password', { a: { ...anthropic, baseUrl: 'https://u:sk-ant-the-key@x' } }, 'a.baseUrl'],
  ['a query', { a: { ...anthropic, baseUrl: 'https://x/?key=sk-ant-the-key' } }, 'a.baseUrl'],
  ['no header', { a: { ...anthropic, header: '' } }, 'a.header'],
  ['Host', { a: { ...anthropic, header: 'Host' } }, 'a.header'],
  ['a line break in the key', { a: { ...anthropic, value: 'sk-ant-the-key\n' } }, 'a.value'],
  ['an unknown field', { a: { ...anthropic, key: 'sk-ant-the-key' } }, 'a'],
])('gatewaySettings() rejects %s without revealing a key', (_what, value, message) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const [issue] = read({ GATEWAY_PROVIDERS: text }).error?.issues ?? [];
  expect(issue?.path).toEqual(['GATEWAY_PROVIDERS']);
  expect(issue?.message).toContain(message);
  expect(issue?.message).not.toContain('sk-ant-the-key');
});
