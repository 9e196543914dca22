import { LINEAR, timesLonger } from '@switchyard/testing';
import { distinctModels, readModelCatalog, readProviderModels } from './read-models';

describe('readProviderModels() and readModelCatalog()', () => {
  it('read lines of the form provider/model and ignore all other lines', () => {
    const output = [
      'Fetching models…',
      'anthropic/claude-sonnet',
      '  openrouter/qwen/qwen3-coder:free  ',
      'anthropic/claude-sonnet',
      'no-provider',
      '/no-provider',
      'provider/',
      '\u001b[31mcoloured/model\u001b[0m',
      '<script>/x',
      `long/${'x'.repeat(300)}`,
      '',
    ].join('\r\n');
    expect(readProviderModels(output)).toEqual([
      { id: 'anthropic/claude-sonnet', label: 'anthropic/claude-sonnet' },
      { id: 'openrouter/qwen/qwen3-coder:free', label: 'openrouter/qwen/qwen3-coder:free' },
    ]);
  });

  it('read a catalogue, except for the entries that its tool hides', () => {
    const models = [
      { slug: 'gpt-5', display_name: 'GPT-5', visibility: 'list', instructions: 'x'.repeat(1000) },
      { slug: 'internal', visibility: 'hide' },
      { slug: 'plain' },
      { slug: '--flag' },
      { slug: 'two\nlines' },
      { slug: 'odd', display_name: 7, visibility: 3 },
      null,
      'text',
    ];
    expect(readModelCatalog(JSON.stringify({ models }))).toEqual([
      { id: 'gpt-5', label: 'GPT-5' },
      { id: 'plain', label: 'plain' },
      { id: 'odd', label: 'odd' },
    ]);
  });

  it('read one id per line if the output is not a catalogue', () => {
    expect(readModelCatalog('gpt-5\nnot a model\no3\n')).toEqual([
      { id: 'gpt-5', label: 'gpt-5' },
      { id: 'o3', label: 'o3' },
    ]);
  });

  it.each(['{', '{"models":null}', '{"models":[[]]}', '[]', '', '{}'])(
    'find no models in %s',
    (text) => {
      expect(readModelCatalog(text)).toEqual([]);
    },
  );

  it('stop at 1,000 models, and read two million lines in linear time', () => {
    const many = Array.from({ length: 1500 }, (_, at) => ({ id: `m${at}`, label: '' }));
    expect(distinctModels(many)).toHaveLength(1_000);
    const read = (size: number) => {
      readProviderModels('\n'.repeat(size));
      readModelCatalog('{'.repeat(size));
      readProviderModels(`${'a'.repeat(size / 2)}/${'a'.repeat(size / 2)}`);
    };
    expect(timesLonger(read, 2_000_000)).toBeLessThan(LINEAR);
  });
});
