import { memo, useMemo } from 'react';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { MarkdownNodes } from './nodes';
import { referencesOf } from './references';
import { treeOf } from './tree';

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
