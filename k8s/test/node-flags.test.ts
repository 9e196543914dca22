import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './manifest';

/** Of Node's own, in every version that an image may have (20.20, 22.23 and 24.21 were tried). One that it does not know ends the container as it starts. */
const KNOWN = ['--max-semi-space-size', '--no-maglev', '--env-file'];

/** The flags of each command that begins with `node`. */
const flagsIn = (text: string): string[] =>
  [...text.matchAll(/\[\s*node,([^\]]*)\]/g)].flatMap(([, rest = '']) => {
    const words = rest.split(',').map((word) => word.trim());
    return words
      .slice(
        0,
        words.findIndex((word) => !word.startsWith('--')),
      )
      .map((word) => word.replace(/=.*/, ''));
  });

describe('the commands of containers', () => {
  const parts = readdirSync(join(ROOT, 'k8s'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:base|components)\/.*\.yaml$/.test(path))
    .map((path) => join('k8s', path));
  const flagged = ['docker-compose.yml', ...parts].flatMap((path) =>
    flagsIn(readFileSync(join(ROOT, path), 'utf8')).map((flag) => ({ path, flag })),
  );

  it('give Node flags that each of its versions knows', () => {
    expect(flagged.length).toBeGreaterThan(2);
    expect(flagged.filter(({ flag }) => !KNOWN.includes(flag))).toEqual([]);
  });

  it('start runners as `npm start` does, the image by itself too', () => {
    const paths = ['docker-compose.yml', 'services/orchestration/Dockerfile', ...parts];
    const commands = paths.flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .replace(/["']/g, '')
        .match(/\[\s*node,[^\]]*bin\/runner\.js\]/g),
    );
    const definitions = readFileSync(
      join(ROOT, 'packages/launcher/src/services/definitions.ts'),
      'utf8',
    );
    const [, flags = ''] = /RUNNER_FLAGS = \[(.*)\]/.exec(definitions) ?? [];
    const wanted = `node, ${flags.replace(/'/g, '')},`;
    expect(wanted).toContain('--no-maglev');
    const found = commands.filter((command) => command !== null);
    expect(found).toHaveLength(4);
    for (const command of found) expect(command).toContain(wanted);
  });

  it('are not documented with --interrupt-budget, at which Node 22 and later end', () => {
    const documents = [
      'UPGRADING.md',
      ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name)),
    ];
    const told = documents
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))
      .filter((line) => line.includes('--interrupt-budget='));
    expect(told).toEqual([]);
  });

  it('are found up to the program', () => {
    expect(flagsIn('args: [node, --a=1, --b, dist/x.js, --c]')).toEqual(['--a', '--b']);
  });
});
