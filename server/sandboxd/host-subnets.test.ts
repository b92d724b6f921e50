import { expect, it } from "vitest";
import { parseRoutes } from "./host-subnets";
import { formatSubnet } from "./network-spec";

it("reads the kernel's routes without the default one", () => {
  const table = [
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT",
    "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0",
    "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0",
    "br-1\t1000E70A\t00000000\t0001\t0\t0\t0\tF0FFFFFF\t0\t0\t0",
    "",
  ].join("\n");
  expect(parseRoutes(table).map(formatSubnet)).toEqual(["172.17.0.0/16", "10.231.0.16/28"]);
});
