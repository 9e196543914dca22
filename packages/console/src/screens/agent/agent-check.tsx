import { unwrap } from '@switchyard/client';
import { Stethoscope } from 'lucide-react';
import { api, type Schemas } from '../../data/api';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Tag } from '../../ui/marks';
import { Section } from '../../ui/page';

const TONES = { ok: 'good', warning: 'warn', error: 'bad' } as const;

/** Lets a runner or worker look at what the agent runs on, before the first run finds out. */
export function AgentCheck({ agentId }: { agentId: string }) {
  const mayWrite = useMayWrite();
  const checking = useSend(() =>
    unwrap(api.POST('/api/agents/{agentId}/check', { params: { path: { agentId } }, body: {} })),
  );
  if (!mayWrite) return null;
  return (
    <Section
      title={t('agent.findings')}
      aside={
        <Button
          icon={Stethoscope}
          isBusy={checking.isPending}
          onClick={() => checking.mutate(undefined)}
        >
          {t(checking.isPending ? 'agent.checking' : 'agent.check')}
        </Button>
      }
    >
      <div aria-live="polite">{checking.data && <Findings findings={checking.data} />}</div>
    </Section>
  );
}

function Findings({ findings }: { findings: readonly Schemas['Finding'][] }) {
  if (findings.length === 0) return <p className="text-sm text-muted">{t('agent.checkOk')}</p>;
  return (
    <ul className="flex flex-col gap-1.5">
      {findings.map(({ level, code, message }) => (
        <li key={`${code} ${message}`} className="flex items-baseline gap-2 text-sm">
          <Tag tone={TONES[level]}>{t(`agent.level.${level}`)}</Tag>
          <span className="min-w-0">{message}</span>
        </li>
      ))}
    </ul>
  );
}
