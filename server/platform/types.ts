declare const brand: unique symbol;

/** A value that only one parser or gate may make, so that an unchecked one does not compile. */
export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };
