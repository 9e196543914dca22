import type { ComponentProps, ReactNode } from 'react';
import { createContext, use, useId } from 'react';
import { t, word } from '../i18n';
import { classNames } from './class-names';

export const RefusalContext = createContext<Readonly<Record<string, string>>>({});

interface Labelled {
  label: string;
  isOptional?: boolean;
  name?: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldProps extends Labelled {
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean | undefined;
  }) => ReactNode;
}

export function Field({ label, isOptional, name, hint, error: known, children }: FieldProps) {
  const id = useId();
  const refusals = use(RefusalContext);
  const error = known ?? (name === undefined ? undefined : refusals[name]);
  const described = hint || error ? `${id}-hint` : undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {isOptional ? `${label} (${t('form.optional')})` : label}
      </label>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {described && (
        <p id={described} className={classNames('text-xs', error ? 'text-bad' : 'text-muted')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

const CONTROL =
  'rounded-md border border-line-strong bg-surface px-2.5 text-base placeholder:text-faint aria-invalid:border-bad disabled:opacity-60';

export const Input = ({ className = 'w-full', ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={classNames(CONTROL, 'min-h-8 max-md:min-h-10', className)} />
);

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    rows={3}
    {...rest}
    className={classNames(CONTROL, 'field-sizing-content w-full max-h-[50dvh] py-1.5', className)}
  />
);

export const Select = ({ className = 'w-full', ...rest }: ComponentProps<'select'>) => (
  <select
    {...rest}
    className={classNames(CONTROL, 'min-h-8 max-w-full max-md:min-h-10', className)}
  />
);

type ControlProps<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentProps<Tag>,
  keyof Labelled
> &
  Labelled;

function labelled<Rest>(props: Rest & Labelled) {
  const { label, isOptional, name, hint, error, ...rest } = props;
  return { field: { label, isOptional, name, hint, error }, rest };
}

export function InputField(props: ControlProps<'input'>) {
  const { field, rest } = labelled(props);
  return <Field {...field}>{(control) => <Input {...control} {...rest} />}</Field>;
}

export function TextareaField(props: ControlProps<'textarea'>) {
  const { field, rest } = labelled(props);
  return <Field {...field}>{(control) => <Textarea {...control} {...rest} />}</Field>;
}

export function SelectField(props: ControlProps<'select'>) {
  const { field, rest } = labelled(props);
  return <Field {...field}>{(control) => <Select {...control} {...rest} />}</Field>;
}

export const binder =
  <Draft extends object>(shown: Draft, change: (changes: Draft) => void) =>
  (name: keyof Draft & string) => ({
    name,
    value: (shown[name] ?? '') as string,
    onChange: ({ target }: { target: { value: string } }) =>
      change({ [name]: target.value || null } as Draft),
  });

export const options = (pairs: readonly (readonly [value: string, label: string])[] = []) =>
  pairs.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

export const wordOptions = (group: Parameters<typeof word>[0], words: readonly string[]) =>
  options(words.map((each) => [each, word(group, each)]));

export function Checkbox({
  label,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className="inline-flex min-h-7 items-center gap-2 text-sm">
      <input type="checkbox" {...rest} className="size-4 accent-accent-fill" />
      {label}
    </label>
  );
}
