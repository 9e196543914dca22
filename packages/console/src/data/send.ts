import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../ui/toast';
import { sentenceOf } from './api';
import { patchEntity } from './live/patch';

interface SendOptions<Input, Output> {
  /** What the entity will look like; put back with the reason when the service refuses. */
  optimistic?: (input: Input) => { id: string; changes: Record<string, unknown> } | undefined;
  onDone?: (output: Output, input: Input) => void;
  /** Where the form shows the refusal itself. */
  isQuiet?: boolean;
}

/** A write to the service: shown at once where it can be, undone and explained where it was refused. */
export function useSend<Input, Output>(
  write: (input: Input) => Promise<Output>,
  { optimistic, onDone, isQuiet }: SendOptions<Input, Output> = {},
) {
  const client = useQueryClient();
  return useMutation<Output, Error, Input, (() => void) | undefined>({
    mutationFn: write,
    onMutate: (input) => {
      const expected = optimistic?.(input);
      return expected && patchEntity(client, expected.id, expected.changes);
    },
    onError: (error, _input, undo) => {
      undo?.();
      if (!isQuiet) showToast({ tone: 'bad', text: sentenceOf(error) });
    },
    onSuccess: (output, input) => onDone?.(output, input),
  });
}
