import { t } from '../../i18n';
import { classNames } from '../../ui/class-names';

export interface Option {
  key: string;
  label: string;
  description?: string;
}

interface OptionsProps {
  options: Option[];
  recommended: unknown;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

export function Options({ options, recommended, chosen, onChoose }: OptionsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t('inboxField.option')}</legend>
      {options.map(({ key, label, description }) => (
        <label
          key={key}
          className={classNames(
            'flex min-h-11 items-center gap-3 rounded-md border px-3 py-2',
            key === chosen
              ? 'border-accent bg-selected'
              : 'border-line-strong bg-surface hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name="option"
            value={key}
            checked={key === chosen}
            onChange={() => onChoose(key)}
            className="size-4 accent-accent-fill"
          />
          <span className="flex-1">
            <span className="font-medium">{label}</span>
            {key === recommended && (
              <span className="text-sm text-muted"> ({t('form.recommended')})</span>
            )}
            {description && <span className="block text-sm text-muted">{description}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
