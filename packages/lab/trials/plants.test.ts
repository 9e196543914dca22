import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const PLANTS = 'packages/lab/plants';
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

interface Plant {
  name: string;
  promise: string;
  ring: string;
  test: string;
  testName: string;
}

const plants: Plant[] = JSON.parse(textOf(`${PLANTS}/plants.json`));
const patchOf = ({ name }: Plant) => `${PLANTS}/${name}.patch`;

function sectionOf(promise: string): string | undefined {
  const sections = textOf('docs/guarantees.md').split(/^### /m);
  return sections.find((section) => section.startsWith(`${promise}\n`));
}

describe('planted bugs', () => {
  it('have a patch each', () => {
    const files = readdirSync(path.join(ROOT, PLANTS)).filter((file) => file.endsWith('.patch'));
    expect(plants.map(({ name }) => `${name}.patch`).sort()).toEqual(files.sort());
  });

  it('contain ten bugs, six of which ring 1 finds', () => {
    expect(plants).toHaveLength(10);
    expect(plants.filter(({ ring }) => ring === 'ring 1')).toHaveLength(6);
  });

  it.each(plants)('apply to the present source: $name', (plant) => {
    const { stderr } = spawnSync('git', ['apply', '--check', patchOf(plant)], { cwd: ROOT });
    expect(String(stderr)).toBe('');
  });

  it.each(plants)('name a test that exists: $name', ({ test, testName }) => {
    const names = [...textOf(test).matchAll(/\bit(?:\.each\(.*\))?\('(.+)',/g)];
    expect(names.filter(([, name]) => name?.includes(testName))).toHaveLength(1);
  });

  it.each(plants)('have a link at their promise: $name', (plant) => {
    const section = sectionOf(plant.promise);
    expect(section).toContain(`](../${patchOf(plant)})`);
    expect(section).toContain(`\`${plant.test}\``);
  });
});
