import type { ReactNode } from 'react';
import { useHeld } from '../../data/draft';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { binder } from '../field';
import { changesOf } from './changes-of';
import { FormDialog } from './form-dialog';

export interface EntityFields<Draft extends object> {
  shown: Partial<Draft>;
  bind: ReturnType<typeof binder<Partial<Draft>>>;
  change: (changes: Partial<Draft>) => void;
}

interface EntityFormProps<Draft extends object, Result> {
  name: string;
  title: string;
  stored: Partial<Draft> | undefined;
  defaults?: Partial<Draft>;
  secret?: readonly (keyof Draft)[];
  isIncomplete?: (shown: Partial<Draft>) => boolean;
  /** Receives all fields of a new entity, but only the changed fields of a stored one. */
  save: (changes: Partial<Draft>) => Promise<Result>;
  onDone?: (result: Result) => void;
  onClose: () => void;
  children: (fields: EntityFields<Draft>) => ReactNode;
}

export function EntityForm<Draft extends object, Result>({
  name,
  title,
  stored,
  defaults,
  secret,
  isIncomplete,
  save,
  onDone,
  onClose,
  children,
}: EntityFormProps<Draft, Result>) {
  const held = useHeld<Partial<Draft>>(name, { ...defaults, ...stored }, secret);
  const { typed, value: shown, change } = held;
  const changes = stored ? changesOf(stored, typed) : { ...defaults, ...typed };
  const saving = useSend(() => save(changes), {
    onDone: onDone ?? onClose,
  });
  return (
    <FormDialog
      title={title}
      submit={t(stored ? 'action.save' : 'action.create')}
      held={held}
      isBusy={saving.isPending}
      isIncomplete={isIncomplete?.(shown) || (stored && Object.keys(changes).length === 0)}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      {children({ shown, change, bind: binder(shown, change) })}
    </FormDialog>
  );
}
