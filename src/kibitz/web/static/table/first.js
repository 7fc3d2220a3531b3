// What a table's page runs before anything is painted, as a plain script.
import { TALL } from "../lib/breakpoints.js";
import "../lib/settings/theme.js";
import { openEarlySocket } from "./early_socket.js";
import { liveAddress } from "./live_address.js";

openEarlySocket(liveAddress(document.currentScript.dataset.table, `is_tall=${TALL.matches ? 1 : 0}&is_patched=1`));
