import type { ListedAgent } from '../agents/agent-reason';
import type { Branch } from './layout';
import { OrgCard } from './org-card';

export const OrgTree = ({ top }: { top: readonly Branch<ListedAgent>[] }) => (
  <ul className="bg-surface py-1">
    {top.map((branch) => (
      <Item key={branch.agent.id} branch={branch} />
    ))}
  </ul>
);

function Item({ branch: { agent, depth, reports } }: { branch: Branch<ListedAgent> }) {
  return (
    <li>
      <div style={{ paddingLeft: Math.min(depth, DEEPEST) * 20 }}>
        <OrgCard agent={agent} className="min-h-12 px-4 py-1" />
      </div>
      {reports.length > 0 && (
        <ul>
          {reports.map((branch) => (
            <Item key={branch.agent.id} branch={branch} />
          ))}
        </ul>
      )}
    </li>
  );
}

const DEEPEST = 6;
