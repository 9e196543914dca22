import { unwrap } from '@switchyard/client';
import { Stethoscope } from 'lucide-react';
import { api } from '../../data/api';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Section } from '../../ui/page';
import { Findings } from './findings';

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
