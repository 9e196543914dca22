import type { Schemas } from '../../data/api';
import { t } from '../../i18n';
import { Tag } from '../../ui/marks';

const TONES = { ok: 'good', warning: 'warn', error: 'bad' } as const;

export function Findings({ findings }: { findings: readonly Schemas['Finding'][] }) {
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
