import { isLong, testPages } from "../docs/pages.ts";

testPages(isLong);
