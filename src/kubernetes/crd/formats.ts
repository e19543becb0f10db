/** A text that has none of the formats. */
export const FORMATLESS = "not!of$any%format";

/**
 * The formats that the API server checks, with different valid texts. All other formats are only for generated clients,
 * as is `password`, which every text has.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go
 */
export const FORMATS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    bsonobjectid: ["507f1f77bcf86cd799439011", "507f1f77bcf86cd799439012"],
    uri: ["https://example.org", "https://example.com"],
    email: ["team@example.org", "person@example.org"],
    hostname: ["example.org", "example.com"],
    ipv4: ["192.0.2.1", "192.0.2.2"],
    ipv6: ["2001:db8::1", "2001:db8::2"],
    cidr: ["192.0.2.0/24", "198.51.100.0/24"],
    mac: ["00:00:5e:00:53:01", "00:00:5e:00:53:02"],
    uuid: ["6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b811-9dad-41d1-80b4-00c04fd430c8"],
    uuid3: ["6ba7b810-9dad-31d1-80b4-00c04fd430c8", "6ba7b811-9dad-31d1-80b4-00c04fd430c8"],
    uuid4: ["6ba7b810-9dad-41d1-80b4-00c04fd430c8", "6ba7b811-9dad-41d1-80b4-00c04fd430c8"],
    uuid5: ["6ba7b810-9dad-51d1-80b4-00c04fd430c8", "6ba7b811-9dad-51d1-80b4-00c04fd430c8"],
    isbn: ["0321751043", "978-0321751041"],
    isbn10: ["0321751043", "0-321-75104-3"],
    isbn13: ["978-0321751041", "9780321751041"],
    creditcard: ["4111111111111111", "5500000000000004"],
    ssn: ["111-11-1111", "222-22-2222"],
    hexcolor: ["#ffffff", "#000000"],
    rgbcolor: ["rgb(1,2,3)", "rgb(3,2,1)"],
    byte: ["ZXhhbXBsZQ==", "b3RoZXI="],
    date: ["2026-01-31", "2026-02-28"],
    duration: ["10m0s", "20m0s"],
    datetime: ["2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z"],
    "date-time": ["2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z"],
  }),
);

/** The formats of numbers that the API server checks, with the smallest number above their range. */
export const RANGES: ReadonlyMap<string, number> = new Map([
  ["int32", 2 ** 31],
  ["float", 2 ** 128],
]);
