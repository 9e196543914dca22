import { Page } from '../../ui/page';

export function RoutinesScreen() {
  return <Page title="Routines">{null}</Page>;
}
