/** An Aho-Corasick automaton (1975): finds many needles in one pass. State 0 is the start. */
export interface NeedleAutomaton {
  step(state: number, byte: number): number;
  matchLength(state: number): number;
  /** Returns the longest suffix of the input that may still become a needle. */
  heldBytes(state: number): Buffer;
  heldLength(state: number): number;
}

const BYTES = 256;

interface Trie {
  label: Uint8Array;
  parent: Int32Array;
  depth: Int32Array;
  needle: Int32Array;
  match: Int32Array;
  /**
   * Edges by `node * 256 + byte`, except the edge to the next node, which is the only edge of most
   * nodes.
   */
  branches: Map<number, number>;
  size: number;
}

function findChild(trie: Trie, node: number, byte: number): number {
  const next = node + 1;
  if (next < trie.size && trie.parent[next] === node && trie.label[next] === byte) return next;
  return trie.branches.get(node * BYTES + byte) ?? 0;
}

function buildTrie(needles: Buffer[]): Trie {
  const capacity = needles.reduce((sum, needle) => sum + needle.length, 1);
  const column = () => new Int32Array(capacity);
  const trie: Trie = {
    label: new Uint8Array(capacity),
    parent: column().fill(-1),
    depth: column(),
    needle: column(),
    match: column(),
    branches: new Map(),
    size: 1,
  };
  needles.forEach((needle, index) => {
    let node = 0;
    for (const byte of needle) {
      let child = findChild(trie, node, byte);
      if (child === 0) {
        child = trie.size++;
        if (child !== node + 1) trie.branches.set(node * BYTES + byte, child);
        trie.label[child] = byte;
        trie.parent[child] = node;
        trie.depth[child] = trie.depth[node]! + 1;
        trie.needle[child] = index;
      }
      node = child;
    }
    trie.match[node] = needle.length;
  });
  return trie;
}

function orderByDepth({ depth, size }: Trie): Int32Array {
  const starts = new Int32Array(size + 1);
  for (let node = 0; node < size; node++) starts[depth[node]! + 1]!++;
  for (let level = 1; level <= size; level++) starts[level]! += starts[level - 1]!;
  const order = new Int32Array(size);
  for (let node = 0; node < size; node++) order[starts[depth[node]!]!++] = node;
  return order;
}

const countOf = (values: Int32Array, wanted: number) =>
  values.reduce((count, value) => count + (value === wanted ? 1 : 0), 0);

/** Time and memory are linear in the size of the needles; a step takes constant time on average. */
export function buildNeedleAutomaton(needles: Buffer[]): NeedleAutomaton {
  const trie = buildTrie(needles);
  const { depth, label, parent, match, needle } = trie;
  const failure = new Int32Array(trie.size);
  const held = new Int32Array(trie.size);
  const hasChild = new Uint8Array(trie.size);
  for (let node = 1; node < trie.size; node++) hasChild[parent[node]!] = 1;

  function follow(state: number, byte: number): number {
    for (let node = state; ; node = failure[node]!) {
      const child = findChild(trie, node, byte);
      if (child !== 0 || node === 0) return child;
    }
  }

  for (const node of orderByDepth(trie)) {
    if (depth[node]! > 1) failure[node] = follow(failure[parent[node]!]!, label[node]!);
    if (match[node] === 0) match[node] = match[failure[node]!]!;
    held[node] = hasChild[node] ? depth[node]! : held[failure[node]!]!;
  }

  // In ordinary text the state stays within one byte of the start, so these transitions use a
  // table.
  const shallow = new Int32Array((1 + countOf(depth, 1)) * BYTES);
  const row = new Int32Array(trie.size).fill(-1);
  let rows = 0;
  for (const node of orderByDepth(trie)) {
    if (depth[node]! > 1) break;
    row[node] = rows++ * BYTES;
    for (let byte = 0; byte < BYTES; byte++) shallow[row[node]! + byte] = follow(node, byte);
  }

  return {
    step(state, byte) {
      const start = row[state]!;
      return start >= 0 ? shallow[start + byte]! : follow(state, byte);
    },
    matchLength: (state) => match[state]!,
    heldBytes: (state) =>
      needles[needle[state]!]!.subarray(depth[state]! - held[state]!, depth[state]!),
    heldLength: (state) => held[state]!,
  };
}
