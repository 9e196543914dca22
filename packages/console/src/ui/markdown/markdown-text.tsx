import { memo, useMemo } from 'react';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { MarkdownNodes } from './nodes';
import { type References, referencesIn } from './references';
import { treeOf } from './tree';

/** Parsed once for a text; the names of agents and the identifiers of issues in it become links. */
export const MarkdownText = memo(function MarkdownText({ text }: { text: string }) {
  const { issuePrefix } = useCompany();
  const { present } = useAgents();
  const nodes = useMemo(() => treeOf(text), [text]);
  const references = referencesOf(issuePrefix, present);
  if (!nodes) return <p className="whitespace-pre-wrap">{text}</p>;
  return (
    <div className="flex flex-col gap-2.5">
      <MarkdownNodes nodes={nodes} references={references} />
    </div>
  );
});

type Named = Parameters<typeof referencesIn>[1];

/** Made once for all texts of a page: with hundreds of agents it takes longer than the texts. */
function referencesOf(issuePrefix: string, agents: Named): References {
  const known = REFERENCES.get(agents)?.[issuePrefix];
  if (known) return known;
  const made = referencesIn(issuePrefix, agents);
  REFERENCES.set(agents, { ...REFERENCES.get(agents), [issuePrefix]: made });
  return made;
}
const REFERENCES = new WeakMap<Named, Readonly<Record<string, References>>>();
