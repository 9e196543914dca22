import { t } from '../../i18n';
import { Button } from '../../ui/button';

export interface Option {
  key: string;
  label: string;
  description?: string;
}

interface OptionsProps {
  options: Option[];
  recommended: unknown;
  isBusy: boolean;
  onChoose: (key: string) => void;
}

export const Options = ({ options, recommended, isBusy, onChoose }: OptionsProps) => (
  <ul className="flex flex-col gap-2" aria-label={t('inboxField.option')}>
    {options.map(({ key, label, description }) => (
      <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          tone={key === recommended ? 'primary' : 'plain'}
          className="min-w-32 whitespace-normal"
          isBusy={isBusy}
          onClick={() => onChoose(key)}
        >
          {label}
        </Button>
        <span className="text-sm text-muted">
          {[key === recommended && t('form.recommended'), description].filter(Boolean).join(' · ')}
        </span>
      </li>
    ))}
  </ul>
);
