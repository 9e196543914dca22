/** A response body that is sent as it is, instead of as JSON. */
export class TextBody {
  constructor(
    /** The whole Content-Type, e.g. `text/csv; charset=utf-8`. */
    readonly type: string,
    readonly text: string,
  ) {}
}
