import { Page } from '../../ui/page';

export function RoutineScreen() {
  return <Page title="Routine">{null}</Page>;
}
