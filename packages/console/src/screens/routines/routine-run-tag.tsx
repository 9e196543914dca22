import { word } from '../../i18n';
import { Tag } from '../../ui/marks';

const TONES: Record<string, 'good' | 'bad' | 'live'> = {
  completed: 'good',
  failed: 'bad',
  issue_created: 'live',
};

export const RoutineRunTag = ({ status, reason }: { status: string; reason: string | null }) => (
  <Tag tone={TONES[status] ?? 'plain'} title={reason ?? undefined}>
    {word('routineRunStatus', status)}
  </Tag>
);
