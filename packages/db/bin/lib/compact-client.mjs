// @ts-check
/** From the generated file. */
const READER = '../../../read-query-compiler';

/**
 * A generated client as it is, but for what it holds in memory once it has been used: 20 MB less for the orchestration
 * database. @param {string} text of `internal/class.ts` @throws Error when Prisma writes it in another way than we know
 */
export function compactClient(text) {
  const strings = only(text, /^ {2}strings: JSON\.parse\((".*")\),$/m);
  const graph = only(text, /^ {2}graph: (".*")$/m);
  const spread = spreadGraph(JSON.parse(JSON.parse(strings)), JSON.parse(graph));
  const runtime = only(text, /await import\((".*query_compiler_[\w.]+\.js")\),$/m);
  const compiler = only(text, /await import\((".*\.wasm-base64\.js")\)$/m);
  const literal = JSON.stringify(JSON.stringify(spread.strings));
  return (
    text
      .replace(`JSON.parse(${strings})`, () => `JSON.parse(${literal})`)
      .replace(`graph: ${graph}`, () => `graph: ${JSON.stringify(spread.graph)}`)
      // The loader of ES modules keeps the text of every CommonJS file that it has loaded.
      .replace(`await import(${runtime})`, `require(${runtime})`)
      .replace(
        /getQueryCompilerWasmModule: async \(\) => \{[^}]*\}[^}]*\}/,
        `getQueryCompilerWasmModule: async () => new WebAssembly.Module(await readQueryCompiler(require.resolve(${compiler})))`,
      )
      .replace(/^import \* as runtime/m, `import { readQueryCompiler } from '${READER}'\n$&`)
      // One character beyond Latin-1 makes V8 keep two bytes for each of the file.
      .replace(/[^\0-\x7f]/g, '')
  );
}

/**
 * V8 keeps a table with numbers as its keys as an array up to the largest of them, unless the first one is beyond 1,024:
 * then as a hash table. The client has thousands of such tables with a few of 1,300 possible numbers each, 15 MB in all.
 */
const FIRST_KEY = 2_048;

/**
 * The same graph with numbers of strings that begin at `FIRST_KEY`. A graph is a row of integers of 7 bits a byte: how
 * many nodes there are of each kind; then the nodes, each with the number of its edges and the edges.
 * @param {string[]} strings @param {string} graph
 */
export function spreadGraph(strings, graph) {
  const from = Buffer.from(graph, 'base64url');
  /** @type {number[]} */
  const to = [];
  let at = 0;
  const read = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = from.readUInt8(at++);
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const write = (/** @type {number} */ value) => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) to.push((rest & 127) | 128);
    to.push(rest);
    return value;
  };
  const copy = () => write(read());
  const copyBytes = (/** @type {number} */ count) => {
    for (let n = 0; n < count; n++) to.push(from.readUInt8(at++));
  };
  const shift = () => write(read() + FIRST_KEY);
  /** 0 is none. */
  const shiftOptional = () => {
    const value = read();
    write(value === 0 ? 0 : value + FIRST_KEY);
  };
  const repeat = (/** @type {number} */ count, /** @type {() => void} */ work) => {
    for (let n = 0; n < count; n++) work();
  };
  const [inputs, outputs, roots] = [copy(), copy(), copy()];
  repeat(inputs, () =>
    repeat(copy(), () => {
      shift();
      // What kinds of scalars it takes.
      copyBytes(2);
      copy();
      shiftOptional();
      // Flags.
      copyBytes(1);
    }),
  );
  repeat(outputs, () =>
    repeat(copy(), () => {
      shift();
      copy();
      copy();
    }),
  );
  repeat(roots, () => {
    shift();
    copy();
    copy();
  });
  if (at !== from.length) throw new Error('the graph of the Prisma client has another form');
  return {
    strings: [...Array(FIRST_KEY).fill(''), ...strings],
    graph: Buffer.from(to).toString('base64url'),
  };
}

/** @param {string} text @param {RegExp} pattern @returns {string} what its group holds, in the one place where it matches */
function only(text, pattern) {
  const found = Array.from(text.matchAll(new RegExp(pattern, 'gm')));
  if (found.length !== 1) throw new Error(`a Prisma client has ${found.length} of ${pattern}`);
  return found[0]?.[1] ?? '';
}
